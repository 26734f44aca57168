select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull((
        select concat(?, ifnull(json_quote(iif(typeof("t5"."name") <> 'blob', "t5"."name", tain_text("t5"."name"))), 'null'), '}')
        from "main"."tags" as "t5"
        where "t5"."id" = "t4"."tags_id"
      ), 'null'), '}') as k
      from (
        select "t3"."tags_id"
        from "main"."articles_tags" as "t3"
        where "t3"."articles_id" = "t2"."id"
        order by "t3"."sort" nulls last, "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."id"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 3
  ) as "t2"
) as r on true
