select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t3"."title") <> 'blob', "t3"."title", tain_text("t3"."title"))), 'null'), '}') as k
      from "main"."enrollments" as "t4" join "main"."courses" as "t3" on "t3"."id" = "t4"."course_id"
      where "t4"."student_id" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c1", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select ifnull(json_quote((replace(replace(replace("t5"."student_id", '%', '%25'), ',', '%2C'), '/', '%2F') || ',' || replace(replace(replace("t5"."course_id", '%', '%25'), ',', '%2C'), '/', '%2F'))), 'null') as k
      from "main"."enrollments" as "t5"
      where "t5"."student_id" = "t2"."id"
      order by "t5"."student_id", "t5"."course_id"
      limit 100
    ) o
  ) as "c2"
  from (
    select "t1"."name", "t1"."id"
    from "main"."students" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
