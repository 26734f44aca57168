select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select concat(?, ifnull(json_quote(iif(typeof("t3"."name") <> 'blob', "t3"."name", tain_text("t3"."name"))), 'null'), '}')
    from "main"."authors" as "t3"
    where "t3"."id" = "t2"."author"
  ) as "c1", (
    select concat(?, ifnull((
      select concat(?, ifnull(json_quote(iif(typeof("t5"."name") <> 'blob', "t5"."name", tain_text("t5"."name"))), 'null'), '}')
      from "main"."categories" as "t5"
      where "t5"."id" = "t4"."parent"
    ), 'null'), '}')
    from "main"."categories" as "t4"
    where "t4"."id" = "t2"."category"
  ) as "c2"
  from (
    select "t1"."id", "t1"."author", "t1"."category"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id" desc
    limit 3
  ) as "t2"
) as r on true
