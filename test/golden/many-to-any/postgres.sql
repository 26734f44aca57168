select v.stamp, r.p, "r"."c0", "r"."c1"
from "tain"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t4"."collection" as "collection",
      case "t4"."collection"
      when $1::text then (
        select to_json(o.*)
        from (
          select "t5"."headline" as "headline"
          from "public"."blocks_hero" as "t5"
          where "t5"."id" = (case when "t4"."item" ~ '^-?[0-9]{1,18}$' then "t4"."item"::int8 end)
        ) o
      )
      when $2::text then (
        select to_json(o.*)
        from (
          select "t6"."content" as "content"
          from "public"."blocks_text" as "t6"
          where "t6"."id" = (case when "t4"."item" ~ '^-?[0-9]{1,18}$' then "t4"."item"::int8 end)
        ) o
      )
      when $3::text then to_json("t4"."item")
      else to_json("t4"."item") end as "item"
      from (
        select "t3"."collection", "t3"."item"
        from "public"."pages_blocks" as "t3"
        where "t3"."pages_id" = "t2"."id"
        order by "t3"."sort", "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "public"."pages" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
