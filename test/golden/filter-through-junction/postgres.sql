select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."students" as "t1"
  where exists (
    select 1
    from "public"."enrollments" as "t3" join "public"."courses" as "t2" on "t2"."id" = "t3"."course_id"
    where ("t3"."student_id" = "t1"."id" and "t2"."title" like $1::text)
  )
  order by "t1"."id"
  limit 100
) as r on true
