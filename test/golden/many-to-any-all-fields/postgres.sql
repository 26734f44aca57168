select v.stamp, r.p, "r"."c0", "r"."c1"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0",
  case "t2"."collection"
  when $1::text then (
    select to_json(o.*)
    from (
      select "t3"."id" as "id", "t3"."headline" as "headline", "t3"."image" as "image"
      from "public"."blocks_hero" as "t3"
      where "t3"."id" = (case when "t2"."item" ~ '^-?[0-9]{1,18}$' then "t2"."item"::int8 end)
    ) o
  )
  when $2::text then (
    select to_json(o.*)
    from (
      select "t4"."id" as "id", "t4"."heading" as "heading", "t4"."content" as "content"
      from "public"."blocks_text" as "t4"
      where "t4"."id" = (case when "t2"."item" ~ '^-?[0-9]{1,18}$' then "t2"."item"::int8 end)
    ) o
  )
  when $3::text then (
    select to_json(o.*)
    from (
      select "t5"."id" as "id", "t5"."heading" as "heading", "t5"."images" as "images", "t5"."columns" as "columns"
      from "public"."blocks_gallery" as "t5"
      where "t5"."id" = (case when "t2"."item" ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then "t2"."item"::uuid end)
    ) o
  )
  else to_json("t2"."item") end as "c1"
  from (
    select "t1"."id", "t1"."item", "t1"."collection"
    from "public"."pages_blocks" as "t1"
    where "t1"."pages_id" = $4::integer
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
