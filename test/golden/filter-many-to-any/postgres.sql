select v.stamp, r.p, "r"."c0"
from "tain"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."pages" as "t1"
  where exists (
    select 1
    from "public"."pages_blocks" as "t2"
    where ("t2"."pages_id" = "t1"."id" and ("t2"."collection" = $1::text and exists (
      select 1
      from "public"."blocks_hero" as "t3"
      where ("t3"."id" = (case when "t2"."item" ~ '^-?[0-9]{1,18}$' then "t2"."item"::int8 end) and "t3"."headline" = $2::character varying)
    )))
  )
  order by "t1"."id"
  limit 100
) as r on true
