select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."title") <> 'blob', "t4"."title", tain_text("t4"."title"))), 'null'), ?, ifnull((
        select concat('[', group_concat(o.k, ','), ']')
        from (
          select concat(?, ifnull(json_quote(iif(typeof("t5"."body") <> 'blob', "t5"."body", tain_text("t5"."body"))), 'null'), '}') as k
          from "main"."comments" as "t5"
          where "t5"."article" = "t4"."id"
          order by "t5"."likes" desc, "t5"."id"
          limit 1
        ) o
      ), 'null'), '}') as k
      from (
        select "t3"."title", "t3"."id"
        from "main"."articles" as "t3"
        where ("t3"."author" = "t2"."id" and "t3"."status" = ?)
        order by "t3"."views" desc, "t3"."id"
        limit 2
      ) as "t4"
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
