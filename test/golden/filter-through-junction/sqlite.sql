select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."students" as "t1"
  where exists (
    select 1
    from "main"."enrollments" as "t3" join "main"."courses" as "t2" on "t2"."id" = "t3"."course_id"
    where ("t3"."student_id" = "t1"."id" and (substr("t2"."title", 1, length(?)) = ?))
  )
  order by "t1"."id"
  limit 100
) as r on true
