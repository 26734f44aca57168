select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t3"."title") <> 'blob', "t3"."title", tain_text("t3"."title"))), 'null'), '}') as k
      from "main"."articles" as "t3"
      where ("t3"."author" = "t2"."id" and "t3"."status" = ?)
      order by "t3"."id"
      limit 100
    ) o
  ) as "c1", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."title") <> 'blob', "t4"."title", tain_text("t4"."title"))), 'null'), '}') as k
      from "main"."articles" as "t4"
      where ("t4"."author" = "t2"."id" and "t4"."status" = ?)
      order by "t4"."id"
      limit 100
    ) o
  ) as "c2", tain_part('year', "t2"."born") as "c3"
  from (
    select "t1"."name", "t1"."id", "t1"."born"
    from "main"."authors" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
