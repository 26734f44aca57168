select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."g0") <> 'blob', "t4"."g0", tain_text("t4"."g0"))), 'null'), ?, ifnull(json_quote(tain_text(count(*))), 'null'), '}') as k
      from (
        select "t3"."status" as "g0"
        from "main"."articles" as "t3"
        where "t3"."author" = "t2"."id"
      ) as "t4"
      group by "t4"."g0"
      order by "t4"."g0" nulls last
      limit 100
    ) o
  ) as "c1"
  from (
    select "t1"."name", "t1"."id"
    from "main"."authors" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
