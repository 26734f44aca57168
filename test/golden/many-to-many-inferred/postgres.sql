select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t3"."title" as "title"
      from "public"."enrollments" as "t4" join "public"."courses" as "t3" on "t3"."id" = "t4"."course_id"
      where "t4"."student_id" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c1", (
    select coalesce(json_agg(o.k), '[]'::json)
    from (
      select replace(replace(replace("t5"."student_id"::text, '%', '%25'), ',', '%2C'), '/', '%2F') || ',' || replace(replace(replace("t5"."course_id"::text, '%', '%25'), ',', '%2C'), '/', '%2F') as k
      from "public"."enrollments" as "t5"
      where "t5"."student_id" = "t2"."id"
      order by "t5"."student_id", "t5"."course_id"
      limit 100
    ) o
  ) as "c2"
  from (
    select "t1"."name", "t1"."id"
    from "public"."students" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
