select v.stamp, "t1"."id", "t1"."id", "t1"."title", (
  select concat(?, ifnull(json_quote(iif(typeof("t2"."name") <> 'blob', "t2"."name", tain_text("t2"."name"))), 'null'), '}')
  from "main"."authors" as "t2"
  where "t2"."id" = "t1"."author"
), (
  select concat('[', group_concat(o.k, ','), ']')
  from (
    select ifnull(iif("t3"."id" is cast("t3"."id" as integer) and "t3"."id" between -9007199254740991 and 9007199254740991, "t3"."id", tain_integer("t3"."id")), 'null') as k
    from "main"."comments" as "t3"
    where "t3"."article" = "t1"."id"
    order by "t3"."id"
    limit 100
  ) o
), "t1"."slug", "t1"."body", "t1"."status", "t1"."author", "t1"."category", "t1"."published", "t1"."edited", "t1"."event_date", "t1"."event_time", "t1"."price", "t1"."views", "t1"."rating", "t1"."score", "t1"."featured", "t1"."details", "t1"."keywords", "t1"."external_id"
from "main"."service_version" as v
left join "main"."articles" as "t1" on "t1"."id" = cast(? as integer)
