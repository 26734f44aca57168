-- case fields
-- articles {"fields":["id","title","password","document"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."title" as "c1",
  case
  when "t1"."password" is not null then '**********' end as "c2", "t1"."document" as "c3"
  from "public"."articles" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`title` as `c1`,
  case
  when `t1`.`password` is not null then '**********' end as `c2`, `t1`.`document` as `c3`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where true
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."title" as "c1",
  case
  when "t1"."password" is not null then '**********' end as "c2", "t1"."document" as "c3"
  from "main"."articles" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- case all-fields
-- comments {"fields":"*"}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."article" as "c1", "t1"."body" as "c2", "t1"."created" as "c3"
  from "public"."comments" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`article` as `c1`, `t1`.`body` as `c2`, `t1`.`created` as `c3`, `t1`.`id` as `o0`
  from `app`.`comments` as `t1`
  where true
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0", "t1"."article" as "c1", "t1"."body" as "c2", "t1"."created" as "c3"
  from "main"."comments" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- case item-by-key
-- articles {"fields":["id","title"]}

-- postgres
select v.stamp, "t1"."id", "t1"."id", "t1"."title", "t1".xmin::text
from "service"."service_version" as v
left join "public"."articles" as "t1" on "t1"."id" = $1::integer

-- mysql
select v.stamp, `t1`.`id`, `t1`.`id`, `t1`.`title`, `t1`.`status`, `t1`.`author`, `t1`.`published`, `t1`.`views`, md5(`t1`.`document`), md5(`t1`.`password`)
from `service`.`service_version` as v
left join `app`.`articles` as `t1` on `t1`.`id` = cast(? as signed)

-- sqlite
select v.stamp, "t1"."id", "t1"."id", "t1"."title", "t1"."status", "t1"."author", "t1"."published", "t1"."views", "t1"."document", "t1"."password"
from "main"."service_version" as v
left join "main"."articles" as "t1" on "t1"."id" = cast(? as integer)

-- case item-by-composite-key
-- order_lines {}

-- postgres
select v.stamp, "t1"."order_no", "t1"."order_no", "t1"."line_no", "t1"."product", "t1".xmin::text
from "service"."service_version" as v
left join "public"."order_lines" as "t1" on ("t1"."order_no" = $1::integer and "t1"."line_no" = $2::integer)

-- mysql
select v.stamp, `t1`.`order_no`, `t1`.`order_no`, `t1`.`line_no`, `t1`.`product`
from `service`.`service_version` as v
left join `app`.`order_lines` as `t1` on (`t1`.`order_no` = cast(? as signed) and `t1`.`line_no` = cast(? as signed))

-- sqlite
select v.stamp, "t1"."order_no", "t1"."order_no", "t1"."line_no", "t1"."product"
from "main"."service_version" as v
left join "main"."order_lines" as "t1" on ("t1"."order_no" = cast(? as integer) and "t1"."line_no" = cast(? as integer))

-- case items-by-keys
-- order_lines {"fields":"product"}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."product" as "c0"
  from rows
  from (json_to_recordset($1::json) as ("f0" integer, "f1" integer)) with ordinality as "t2"("f0", "f1", "n") join "public"."order_lines" as "t1" on ("t1"."order_no" = "t2"."f0" and "t1"."line_no" = "t2"."f1")
  where true
  order by "t2"."n"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`product` as `c0`, `t2`.`n` as `o0`
  from json_table(?, '$[*]' columns (n for ordinality, `f0` bigint path '$.f0', `f1` bigint path '$.f1')) as `t2` join `app`.`order_lines` as `t1` on (`t1`.`order_no` = `t2`.`f0` and `t1`.`line_no` = `t2`.`f1`)
  where true
  order by `t2`.`n`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."product" as "c0"
  from (
    select value ->> '$.f0' as "f0", value ->> '$.f1' as "f1", key + 1 as n
    from json_each(?)
  ) as "t2" join "main"."order_lines" as "t1" on ("t1"."order_no" = "t2"."f0" and "t1"."line_no" = "t2"."f1")
  where true
  order by "t2"."n"
) as r on true

-- case images
-- articles {"fields":["id","title"]}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1_set"."n" as "c0"
  from json_array_elements($1::json) with ordinality as "t1_set"(image, n) cross join lateral json_populate_record(null::"public"."articles", "t1_set"."image") as "t1"
  where ("t1"."status" = $2::character varying or exists (
    select 1
    from "public"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = $3::character varying)
  ))
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`n` as `c0`
  from (
    select `x`.`f0` as `id`, `x`.`f1` as `title`, `x`.`f2` as `status`, `x`.`f3` as `author`, `x`.`f4` as `published`, `x`.`f5` as `views`, nullif(cast(`x`.`f6` as char), 'null') as `document`, `x`.`f7` as `password`, x.n as `n`
    from json_table(?, '$[*]' columns (n for ordinality, `f0` bigint path '$.f0', `f1` longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$.f1', `f2` longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$.f2', `f3` bigint path '$.f3', `f4` datetime(6) path '$.f4', `f5` bigint path '$.f5', `f6` json path '$.f6', `f7` longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$.f7')) as `x`
  ) as `t1`
  where (`t1`.`status` = ? or exists (
    select 1
    from `app`.`authors` as `t2`
    where (`t2`.`id` = `t1`.`author` and `t2`.`name` = ?)
  ))
) as r on true

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."n" as "c0"
  from (
    select cast(value ->> '$.f0' as integer) as "id", cast(value ->> '$.f1' as text) as "title", cast(value ->> '$.f2' as text) as "status", cast(value ->> '$.f3' as integer) as "author", cast(value ->> '$.f4' as text) as "published", cast(value ->> '$.f5' as integer) as "views", cast(nullif(value -> '$.f6', 'null') as text) as "document", cast(value ->> '$.f7' as text) as "password", key + 1 as "n"
    from json_each(?)
  ) as "t1"
  where ("t1"."status" = ? or exists (
    select 1
    from "main"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = ?)
  ))
) as r on true

-- case many-to-one
-- comments {"fields":["id","article.title","article.author.name"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select to_json(o.*)
    from (
      select "t3"."title" as "title", (
        select to_json(o.*)
        from (
          select "t4"."name" as "name"
          from "public"."authors" as "t4"
          where "t4"."id" = "t3"."author"
        ) o
      ) as "author"
      from "public"."articles" as "t3"
      where "t3"."id" = "t2"."article"
    ) o
  ) as "c1"
  from (
    select "t1"."id", "t1"."article"
    from "public"."comments" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, (
    select concat(?, coalesce(json_quote(`t3`.`title`), 'null'), ?, coalesce((
      select concat(?, coalesce(json_quote(`t4`.`name`), 'null'), '}')
      from `app`.`authors` as `t4`
      where `t4`.`id` = `t3`.`author`
    ), 'null'), '}')
    from `app`.`articles` as `t3`
    where `t3`.`id` = `t2`.`article`
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`article`, `t1`.`id` as `s0`
    from `app`.`comments` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select concat(?, ifnull(json_quote(iif(typeof("t3"."title") <> 'blob', "t3"."title", tain_text("t3"."title"))), 'null'), ?, ifnull((
      select concat(?, ifnull(json_quote(iif(typeof("t4"."name") <> 'blob', "t4"."name", tain_text("t4"."name"))), 'null'), '}')
      from "main"."authors" as "t4"
      where "t4"."id" = "t3"."author"
    ), 'null'), '}')
    from "main"."articles" as "t3"
    where "t3"."id" = "t2"."article"
  ) as "c1"
  from (
    select "t1"."id", "t1"."article"
    from "main"."comments" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- case one-to-many
-- articles {"fields":["id","comments.body"],"limit":5}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t3"."body" as "body"
      from "public"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c1"
  from (
    select "t1"."id"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 5
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`body`), 'null'), '}') order by `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 5
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t3"."body") <> 'blob', "t3"."body", tain_text("t3"."body"))), 'null'), '}') as k
      from "main"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c1"
  from (
    select "t1"."id"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 5
  ) as "t2"
) as r on true

-- case many-to-many
-- articles {"fields":["title","tags.tag.label"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select (
        select to_json(o.*)
        from (
          select "t5"."label" as "label"
          from "public"."tags" as "t5"
          where "t5"."id" = "t4"."tag"
        ) o
      ) as "tag"
      from (
        select "t3"."tag"
        from "public"."articles_tags" as "t3"
        where "t3"."article" = "t2"."id"
        order by "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`title` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce((
      select concat(?, coalesce(json_quote(`t4`.`label`), 'null'), '}')
      from `app`.`tags` as `t4`
      where `t4`.`id` = `t3`.`tag`
    ), 'null'), '}') order by `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`articles_tags` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull((
        select concat(?, ifnull(json_quote(iif(typeof("t5"."label") <> 'blob', "t5"."label", tain_text("t5"."label"))), 'null'), '}')
        from "main"."tags" as "t5"
        where "t5"."id" = "t4"."tag"
      ), 'null'), '}') as k
      from (
        select "t3"."tag"
        from "main"."articles_tags" as "t3"
        where "t3"."article" = "t2"."id"
        order by "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- case many-to-any
-- pages {"fields":["title","blocks.item:heroes.headline","blocks.item:texts.content"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select
      case "t4"."collection"
      when $1::text then (
        select to_json(o.*)
        from (
          select "t5"."headline" as "headline"
          from "public"."heroes" as "t5"
          where "t5"."id" = (case when "t4"."item" ~ '^-?[0-9]{1,18}$' then "t4"."item"::int8 end)
        ) o
      )
      when $2::text then (
        select to_json(o.*)
        from (
          select "t6"."content" as "content"
          from "public"."texts" as "t6"
          where "t6"."id" = (case when "t4"."item" ~ '^-?[0-9]{1,18}$' then "t4"."item"::int8 end)
        ) o
      )
      else to_json("t4"."item") end as "item"
      from (
        select "t3"."item", "t3"."collection"
        from "public"."blocks" as "t3"
        where "t3"."page" = "t2"."id"
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

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`title` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(case `t3`.`collection` when ? then (
      select concat(?, coalesce(json_quote(`t4`.`headline`), 'null'), '}')
      from `app`.`heroes` as `t4`
      where `t4`.`id` = (case when `t3`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t3`.`item` as signed) end)
    ) when ? then (
      select concat(?, coalesce(json_quote(`t5`.`content`), 'null'), '}')
      from `app`.`texts` as `t5`
      where `t5`.`id` = (case when `t3`.`item` regexp '^-?[0-9]{1,18}$' then cast(`t3`.`item` as signed) end)
    ) else json_quote(`t3`.`item`) end, 'null'), '}') order by `t3`.`sort` is null, `t3`.`sort`, `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`blocks` as `t3`
    where `t3`.`page` = `t2`.`id`
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`pages` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(case "t4"."collection" when ? then (
        select concat(?, ifnull(json_quote(iif(typeof("t5"."headline") <> 'blob', "t5"."headline", tain_text("t5"."headline"))), 'null'), '}')
        from "main"."heroes" as "t5"
        where "t5"."id" = (case when ("t4"."item" not glob '*[^0-9-]*' and ltrim("t4"."item", '-') not glob '*-*' and length(ltrim("t4"."item", '-')) between 1 and 19 and "t4"."item" <> '-') then cast("t4"."item" as integer) end)
      ) when ? then (
        select concat(?, ifnull(json_quote(iif(typeof("t6"."content") <> 'blob', "t6"."content", tain_text("t6"."content"))), 'null'), '}')
        from "main"."texts" as "t6"
        where "t6"."id" = (case when ("t4"."item" not glob '*[^0-9-]*' and ltrim("t4"."item", '-') not glob '*-*' and length(ltrim("t4"."item", '-')) between 1 and 19 and "t4"."item" <> '-') then cast("t4"."item" as integer) end)
      ) else json_quote(tain_text("t4"."item")) end, 'null'), '}') as k
      from (
        select "t3"."item", "t3"."collection"
        from "main"."blocks" as "t3"
        where "t3"."page" = "t2"."id"
        order by "t3"."sort" nulls last, "t3"."id"
        limit 100
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."title", "t1"."id"
    from "main"."pages" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- case filter
-- articles {"fields":"id","filter":{"_or":[{"status":{"_in":["draft","review"]}},{"title":{"_icontains":"x"},"views":{"_gte":10}}]}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where ("t1"."status" = any($1::character varying[]) or (lower("t1"."title") like lower($2::text) and "t1"."views" >= $3::integer))
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (`t1`.`status` in (
    select l.v
    from json_table(?, '$[*]' columns (v longtext character set utf8mb4 collate utf8mb4_uca1400_ai_ci path '$')) as l
  ) or (lower(`t1`.`title`) like lower(?) and `t1`.`views` >= cast(? as signed)))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where ("t1"."status" in (
    select value
    from json_each(?)
  ) or ((instr(tain_lower("t1"."title"), ?) > 0) and "t1"."views" >= cast(? as integer)))
  order by "t1"."id"
  limit 100
) as r on true

-- case filter-to-one
-- comments {"fields":"id","filter":{"article":{"author":{"name":"Ana"}}}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."comments" as "t1"
  where exists (
    select 1
    from "public"."articles" as "t2"
    where ("t2"."id" = "t1"."article" and exists (
      select 1
      from "public"."authors" as "t3"
      where ("t3"."id" = "t2"."author" and "t3"."name" = $1::character varying)
    ))
  )
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`comments` as `t1`
  where exists (
    select 1
    from `app`.`articles` as `t2`
    where (`t2`.`id` = `t1`.`article` and exists (
      select 1
      from `app`.`authors` as `t3`
      where (`t3`.`id` = `t2`.`author` and `t3`.`name` = ?)
    ))
  )
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."comments" as "t1"
  where exists (
    select 1
    from "main"."articles" as "t2"
    where ("t2"."id" = "t1"."article" and exists (
      select 1
      from "main"."authors" as "t3"
      where ("t3"."id" = "t2"."author" and "t3"."name" = ?)
    ))
  )
  order by "t1"."id"
  limit 100
) as r on true

-- case filter-to-many
-- articles {"fields":"id","filter":{"comments":{"_none":{"body":{"_null":true}}},"tags":{"tag":{"label":"x"}}}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where (not exists (
    select 1
    from "public"."comments" as "t2"
    where ("t2"."article" = "t1"."id" and "t2"."body" is null)
  ) and exists (
    select 1
    from "public"."articles_tags" as "t3"
    where ("t3"."article" = "t1"."id" and exists (
      select 1
      from "public"."tags" as "t4"
      where ("t4"."id" = "t3"."tag" and "t4"."label" = $1::character varying)
    ))
  ))
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (not exists (
    select 1
    from `app`.`comments` as `t2`
    where (`t2`.`article` = `t1`.`id` and `t2`.`body` is null)
  ) and exists (
    select 1
    from `app`.`articles_tags` as `t3`
    where (`t3`.`article` = `t1`.`id` and exists (
      select 1
      from `app`.`tags` as `t4`
      where (`t4`.`id` = `t3`.`tag` and `t4`.`label` = ?)
    ))
  ))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where (not exists (
    select 1
    from "main"."comments" as "t2"
    where ("t2"."article" = "t1"."id" and "t2"."body" is null)
  ) and exists (
    select 1
    from "main"."articles_tags" as "t3"
    where ("t3"."article" = "t1"."id" and exists (
      select 1
      from "main"."tags" as "t4"
      where ("t4"."id" = "t3"."tag" and "t4"."label" = ?)
    ))
  ))
  order by "t1"."id"
  limit 100
) as r on true

-- case filter-json
-- articles {"fields":"id","filter":{"document":{"_json":{"a.b":1}}}}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where (case when jsonb_typeof("t1"."document"::jsonb #> $1::text[]) = 'number' then ("t1"."document"::jsonb #>> $2::text[])::numeric end) = $3::numeric
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (case when (case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract(`t1`.`document`, l.p)) <> 'ARRAY'
  ) then json_type(json_extract(`t1`.`document`, ?)) end) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then cast(json_unquote(json_extract(`t1`.`document`, ?)) as decimal(65, 30)) end) = cast(? as decimal(65, 30))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where cast(tain_number_at("t1"."document", ?) as numeric) = cast(? as numeric)
  order by "t1"."id"
  limit 100
) as r on true

-- case sort
-- articles {"fields":"id","sort":["-published","author.name","count(comments)"],"limit":10,"page":3}

-- postgres
select v.stamp, r.p, "r"."c0"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where true
  order by "t1"."published" desc, (
    select "t2"."name"
    from "public"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ), (
    select count(*)
    from "public"."comments" as "t3"
    where "t3"."article" = "t1"."id"
  ), "t1"."id"
  limit 10
  offset $1::bigint
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`published` as `o0`, (
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) as `o1`, (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t1`.`id`
  ) as `o2`, `t1`.`id` as `o3`
  from `app`.`articles` as `t1`
  where true
  order by `t1`.`published` is null desc, `t1`.`published` desc, (
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ) is null, (
    select `t2`.`name`
    from `app`.`authors` as `t2`
    where `t2`.`id` = `t1`.`author`
  ), (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t1`.`id`
  ) is null, (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t1`.`id`
  ), `t1`.`id`
  limit 10
  offset ?
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2` is null, `r`.`o2`, `r`.`o3`

-- sqlite
select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where true
  order by tain_moment("t1"."published") desc nulls first, (
    select "t2"."name"
    from "main"."authors" as "t2"
    where "t2"."id" = "t1"."author"
  ) nulls last, (
    select count(*)
    from "main"."comments" as "t3"
    where "t3"."article" = "t1"."id"
  ) nulls last, "t1"."id"
  limit 10
  offset cast(? as integer)
) as r on true

-- case search
-- articles {"fields":"id","search":"sea","meta":["total_count","filter_count"]}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from "public"."articles" as "t2"
  where true
), (
  select count(*)
  from "public"."articles" as "t3"
  where ("t3"."id" = $1::numeric or lower("t3"."title") like lower($2::text) or lower("t3"."status") like lower($3::text) or "t3"."author" = $4::numeric or "t3"."views" = $5::numeric)
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where ("t1"."id" = $6::numeric or lower("t1"."title") like lower($7::text) or lower("t1"."status") like lower($8::text) or "t1"."author" = $9::numeric or "t1"."views" = $10::numeric)
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select count(*)
  from `app`.`articles` as `t2`
  where true
), (
  select count(*)
  from `app`.`articles` as `t3`
  where (`t3`.`id` = cast(? as decimal(65, 30)) or lower(`t3`.`title`) like lower(?) or lower(`t3`.`status`) like lower(?) or `t3`.`author` = cast(? as decimal(65, 30)) or `t3`.`views` = cast(? as decimal(65, 30)))
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where (`t1`.`id` = cast(? as decimal(65, 30)) or lower(`t1`.`title`) like lower(?) or lower(`t1`.`status`) like lower(?) or `t1`.`author` = cast(? as decimal(65, 30)) or `t1`.`views` = cast(? as decimal(65, 30)))
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from "main"."articles" as "t2"
  where true
), (
  select count(*)
  from "main"."articles" as "t3"
  where ("t3"."id" = cast(? as numeric) or instr(tain_lower("t3"."title"), ?) > 0 or instr(tain_lower("t3"."status"), ?) > 0 or "t3"."author" = cast(? as numeric) or "t3"."views" = cast(? as numeric))
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where ("t1"."id" = cast(? as numeric) or instr(tain_lower("t1"."title"), ?) > 0 or instr(tain_lower("t1"."status"), ?) > 0 or "t1"."author" = cast(? as numeric) or "t1"."views" = cast(? as numeric))
  order by "t1"."id"
  limit 100
) as r on true

-- case aggregate
-- articles {"aggregate":{"count":"*","countDistinct":"status","avg":"views"}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, count(*) as "c0", count(distinct "t2"."a1") as "c1", avg("t2"."a2") as "c2"
  from (
    select "t1"."status" as "a1", "t1"."views" as "a2"
    from "public"."articles" as "t1"
    where true
  ) as "t2"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, count(*) as `c0`, count(distinct `t2`.`a1`) as `c1`, left(cast(round(cast(sum(`t2`.`a2`) as decimal(65, 20)) / count(`t2`.`a2`), greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0)) as char), locate('.', cast(round(cast(sum(`t2`.`a2`) as decimal(65, 20)) / count(`t2`.`a2`), greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0)) as char)) + greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0) - (greatest(if(sum(`t2`.`a2`) = 0, 16, 16 - 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end - (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end) - (truncate(abs(sum(`t2`.`a2`)) / power(10, 4 * (case when abs(sum(`t2`.`a2`)) >= 1 then (char_length(truncate(abs(sum(`t2`.`a2`)), 0)) - 1) div 4 when abs(sum(`t2`.`a2`)) >= 0.0001 then -1 when abs(sum(`t2`.`a2`)) >= 0.00000001 then -2 else -3 end)), 0) <= truncate(count(`t2`.`a2`) / power(10, 4 * (case when count(`t2`.`a2`) >= 1 then (char_length(truncate(count(`t2`.`a2`), 0)) - 1) div 4 when count(`t2`.`a2`) >= 0.0001 then -1 when count(`t2`.`a2`) >= 0.00000001 then -2 else -3 end)), 0)))), 0, 0) = 0)) as `c2`
  from (
    select `t1`.`status` as `a1`, `t1`.`views` as `a2`
    from `app`.`articles` as `t1`
    where true
  ) as `t2`
  limit 100
) as r on true

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, count(*) as "c0", count(distinct "t2"."a1") as "c1", tain_quotient(sum("t2"."a2"), count("t2"."a2")) as "c2"
  from (
    select "t1"."status" as "a1", "t1"."views" as "a2"
    from "main"."articles" as "t1"
    where true
  ) as "t2"
  limit 100
) as r on true

-- case group-by
-- articles {"aggregate":{"sum":"views"},"groupBy":["status","year(published)","author.name"],"sort":"-sum.views"}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."g0" as "c0", "t2"."g1" as "c1", "t2"."g2" as "c2", sum("t2"."a0") as "c3"
  from (
    select "t1"."status" as "g0", extract(year from "t1"."published")::int as "g1", (
      select "t3"."name"
      from "public"."authors" as "t3"
      where "t3"."id" = "t1"."author"
    ) as "g2", "t1"."views" as "a0"
    from "public"."articles" as "t1"
    where true
  ) as "t2"
  group by "t2"."g0", "t2"."g1", "t2"."g2"
  order by sum("t2"."a0") desc, "t2"."g0", "t2"."g1", "t2"."g2"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`g0` as `c0`, `t2`.`g1` as `c1`, `t2`.`g2` as `c2`, sum(`t2`.`a0`) as `c3`, sum(`t2`.`a0`) as `o0`, `t2`.`g0` as `o1`, `t2`.`g1` as `o2`, `t2`.`g2` as `o3`
  from (
    select `t1`.`status` as `g0`, year(nullif(`t1`.`published`, 0)) as `g1`, (
      select `t3`.`name`
      from `app`.`authors` as `t3`
      where `t3`.`id` = `t1`.`author`
    ) as `g2`, `t1`.`views` as `a0`
    from `app`.`articles` as `t1`
    where true
  ) as `t2`
  group by `t2`.`g0`, `t2`.`g1`, `t2`.`g2`
  order by sum(`t2`.`a0`) is null desc, sum(`t2`.`a0`) desc, `t2`.`g0` is null, `t2`.`g0`, `t2`.`g1` is null, `t2`.`g1`, `t2`.`g2` is null, `t2`.`g2`
  limit 100
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2` is null, `r`.`o2`, `r`.`o3` is null, `r`.`o3`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."g0" as "c0", "t2"."g1" as "c1", "t2"."g2" as "c2", sum("t2"."a0") as "c3"
  from (
    select "t1"."status" as "g0", tain_part('year', "t1"."published") as "g1", (
      select "t3"."name"
      from "main"."authors" as "t3"
      where "t3"."id" = "t1"."author"
    ) as "g2", "t1"."views" as "a0"
    from "main"."articles" as "t1"
    where true
  ) as "t2"
  group by "t2"."g0", "t2"."g1", "t2"."g2"
  order by tain_number(sum("t2"."a0")) desc nulls first, "t2"."g0" nulls last, "t2"."g1" nulls last, "t2"."g2" nulls last
  limit 100
) as r on true

-- case deep
-- authors {"fields":["name","articles.title","articles.comments.*"],"deep":{"articles":{"_filter":{"status":"published"},"_sort":"-views","_limit":3,"comments":{"_limit":1,"_offset":2}}}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t4"."title" as "title", (
        select coalesce(json_agg(o.*), '[]'::json)
        from (
          select "t5"."id" as "id", "t5"."article" as "article", "t5"."body" as "body",
          case
          when "t5"."created" >= '0001-01-01'::timestamptz and "t5"."created" < 'infinity'::timestamptz then to_char("t5"."created", case when date_trunc('milliseconds', "t5"."created") = "t5"."created" then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end)
          else "t5"."created"::text end as "created"
          from "public"."comments" as "t5"
          where "t5"."article" = "t4"."id"
          order by "t5"."id"
          limit 1
          offset $1::bigint
        ) o
      ) as "comments"
      from (
        select "t3"."title", "t3"."id"
        from "public"."articles" as "t3"
        where ("t3"."author" = "t2"."id" and "t3"."status" = $2::character varying)
        order by "t3"."views" desc, "t3"."id"
        limit 3
      ) as "t4"
    ) o
  ) as "c1"
  from (
    select "t1"."name", "t1"."id"
    from "public"."authors" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`name` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`title`), 'null'), ?, coalesce((
      select concat('[', coalesce(group_concat(concat(?, coalesce(`t4`.`id`, 'null'), ?, coalesce(`t4`.`article`, 'null'), ?, coalesce(json_quote(`t4`.`body`), 'null'), ?, coalesce(concat('"', concat(left(date_format(nullif(`t4`.`created`, 0), '%Y-%m-%dT%H:%i:%s.%f'), if(microsecond(nullif(`t4`.`created`, 0)) % 1000 = 0, 23, 26)), 'Z'), '"'), 'null'), '}') order by `t4`.`id` separator ', 
 ' limit 1 offset ?), ''), ']')
      from `app`.`comments` as `t4`
      where `t4`.`article` = `t3`.`id`
    ), 'null'), '}') order by `t3`.`views` is null desc, `t3`.`views` desc, `t3`.`id` separator ', 
 ' limit 3), ''), ']')
    from `app`.`articles` as `t3`
    where (`t3`.`author` = `t2`.`id` and `t3`.`status` = ?)
  ) as `c1`, `t2`.`s0` as `o0`
  from (
    select `t1`.`name`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`authors` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."name" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."title") <> 'blob', "t4"."title", tain_text("t4"."title"))), 'null'), ?, ifnull((
        select concat('[', group_concat(o.k, ','), ']')
        from (
          select concat(?, ifnull(iif("t5"."id" is cast("t5"."id" as integer) and "t5"."id" between -9007199254740991 and 9007199254740991, "t5"."id", tain_integer("t5"."id")), 'null'), ?, ifnull(iif("t5"."article" is cast("t5"."article" as integer) and "t5"."article" between -9007199254740991 and 9007199254740991, "t5"."article", tain_integer("t5"."article")), 'null'), ?, ifnull(json_quote(iif(typeof("t5"."body") <> 'blob', "t5"."body", tain_text("t5"."body"))), 'null'), ?, ifnull(json_quote(tain_shown_moment("t5"."created")), 'null'), '}') as k
          from "main"."comments" as "t5"
          where "t5"."article" = "t4"."id"
          order by "t5"."id"
          limit 1
          offset cast(? as integer)
        ) o
      ), 'null'), '}') as k
      from (
        select "t3"."title", "t3"."id"
        from "main"."articles" as "t3"
        where ("t3"."author" = "t2"."id" and "t3"."status" = ?)
        order by "t3"."views" desc nulls first, "t3"."id"
        limit 3
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

-- case cursor
-- articles {"fields":"title","sort":["-published","title"],"limit":10,"meta":"cursor"}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", "t1"."published"::text as "c1", "t1"."title"::text as "c2", "t1"."id"::text as "c3"
  from "public"."articles" as "t1"
  where ("t1"."published" <= $1::timestamp with time zone and ("t1"."published" < $2::timestamp with time zone or ("t1"."published" = $3::timestamp with time zone and (false or ("t1"."title" is null and "t1"."id" > $4::integer)))))
  order by "t1"."published" desc, "t1"."title", "t1"."id"
  limit 11
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`title` as `c0`, cast(`t1`.`published` as char) as `c1`, cast(`t1`.`title` as char) as `c2`, cast(`t1`.`id` as char) as `c3`, `t1`.`published` as `o0`, `t1`.`title` as `o1`, `t1`.`id` as `o2`
  from `app`.`articles` as `t1`
  where (`t1`.`published` <= cast(? as datetime(6)) and (`t1`.`published` < cast(? as datetime(6)) or (`t1`.`published` = cast(? as datetime(6)) and (false or (`t1`.`title` is null and `t1`.`id` > cast(? as signed))))))
  order by `t1`.`published` is null desc, `t1`.`published` desc, `t1`.`title` is null, `t1`.`title`, `t1`.`id`
  limit 11
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", tain_cursor_text(tain_moment("t1"."published"), ?) as "c1", tain_cursor_text("t1"."title", ?) as "c2", tain_cursor_text("t1"."id", ?) as "c3"
  from "main"."articles" as "t1"
  where (tain_moment("t1"."published") <= iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) and (tain_moment("t1"."published") < iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) or (tain_moment("t1"."published") = iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) and (false or ("t1"."title" is null and "t1"."id" > iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), cast(? as integer)))))))
  order by tain_moment("t1"."published") desc nulls first, "t1"."title" nulls last, "t1"."id"
  limit 11
) as r on true

-- case cut
-- articles {"fields":["id","title","document","comments.body"],"limit":5,"cut":200}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", left("t2"."title"::text, 200) as "c1",
  case
  when length("t2"."document"::text) > 200 then to_json(left("t2"."document"::text, 200))::text
  else "t2"."document"::text end as "c2", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select left("t3"."body"::text, 200) as "body"
      from "public"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c3"
  from (
    select "t1"."id", "t1"."title", "t1"."document"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 5
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`id` as `c0`, left(`t2`.`title`, 200) as `c1`, if(char_length(`t2`.`document`) > 200, json_quote(left(`t2`.`document`, 200)), `t2`.`document`) as `c2`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(left(`t3`.`body`, 200)), 'null'), '}') order by `t3`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c3`, `t2`.`s0` as `o0`
  from (
    select `t1`.`id`, `t1`.`title`, `t1`.`document`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 5
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."id" as "c0", substr("t2"."title", 1, 200) as "c1", iif(typeof("t2"."document") = 'text' and length("t2"."document") > 200, json_quote(substr("t2"."document", 1, 200)), "t2"."document") as "c2", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof(substr("t3"."body", 1, 200)) <> 'blob', substr("t3"."body", 1, 200), tain_text(substr("t3"."body", 1, 200)))), 'null'), '}') as k
      from "main"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."id"
      limit 100
    ) o
  ) as "c3"
  from (
    select "t1"."id", "t1"."title", "t1"."document"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 5
  ) as "t2"
) as r on true

-- case counts-up-to
-- articles {"fields":"id","filter":{"views":{"_gt":5}},"meta":["total_count","filter_count"],"count_up_to":1000}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "public"."articles" as "t2"
    where true
    limit 1001
  ) as "t3"
), (
  select count(*)
  from (
    select 1 as one
    from "public"."articles" as "t4"
    where "t4"."views" > $1::integer
    limit 1001
  ) as "t5"
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where "t1"."views" > $2::integer
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select count(*)
  from (
    select 1 as one
    from `app`.`articles` as `t2`
    where true
    limit 1001
  ) as `t3`
), (
  select count(*)
  from (
    select 1 as one
    from `app`.`articles` as `t4`
    where `t4`.`views` > cast(? as signed)
    limit 1001
  ) as `t5`
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where `t1`.`views` > cast(? as signed)
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "main"."articles" as "t2"
    where true
    limit 1001
  ) as "t3"
), (
  select count(*)
  from (
    select 1 as one
    from "main"."articles" as "t4"
    where "t4"."views" > cast(? as integer)
    limit 1001
  ) as "t5"
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where "t1"."views" > cast(? as integer)
  order by "t1"."id"
  limit 100
) as r on true

-- case cursor-backward
-- articles {"fields":"title","sort":["-published","title"],"limit":10,"meta":"cursor"}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", "t1"."published"::text as "c1", "t1"."title"::text as "c2", "t1"."id"::text as "c3"
  from "public"."articles" as "t1"
  where (("t1"."published" > $1::timestamp with time zone or "t1"."published" is null) or ("t1"."published" = $2::timestamp with time zone and ("t1"."title" is not null or ("t1"."title" is null and "t1"."id" < $3::integer))))
  order by "t1"."published", "t1"."title" desc, "t1"."id" desc
  limit 11
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`title` as `c0`, cast(`t1`.`published` as char) as `c1`, cast(`t1`.`title` as char) as `c2`, cast(`t1`.`id` as char) as `c3`, `t1`.`published` as `o0`, `t1`.`title` as `o1`, `t1`.`id` as `o2`
  from `app`.`articles` as `t1`
  where ((`t1`.`published` > cast(? as datetime(6)) or `t1`.`published` is null) or (`t1`.`published` = cast(? as datetime(6)) and (`t1`.`title` is not null or (`t1`.`title` is null and `t1`.`id` < cast(? as signed)))))
  order by `t1`.`published` is null, `t1`.`published`, `t1`.`title` is null desc, `t1`.`title` desc, `t1`.`id` desc
  limit 11
) as r on true
order by `r`.`o0` is null, `r`.`o0`, `r`.`o1` is null desc, `r`.`o1` desc, `r`.`o2` desc

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", tain_cursor_text(tain_moment("t1"."published"), ?) as "c1", tain_cursor_text("t1"."title", ?) as "c2", tain_cursor_text("t1"."id", ?) as "c3"
  from "main"."articles" as "t1"
  where ((tain_moment("t1"."published") > iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) or tain_moment("t1"."published") is null) or (tain_moment("t1"."published") = iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) and ("t1"."title" is not null or ("t1"."title" is null and "t1"."id" < iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), cast(? as integer))))))
  order by tain_moment("t1"."published") nulls last, "t1"."title" desc nulls first, "t1"."id" desc
  limit 11
) as r on true

-- case estimate-of-table
-- articles {"fields":"id","meta":"estimated_count"}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select
  case
  when c.reltuples >= 0 then c.reltuples::bigint
  else (
    select count(*)
    from "public"."articles" as "t2"
    where true
  ) end
  from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1::text and c.relname = $2::text
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "public"."articles" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select coalesce(t.table_rows, (
    select count(*)
    from `app`.`articles` as `t2`
    where true
  ))
  from information_schema.tables t
  where t.table_schema = ? and t.table_name = ?
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`id` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where true
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from "main"."articles" as "t2"
  where true
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."id" as "c0"
  from "main"."articles" as "t1"
  where true
  order by "t1"."id"
  limit 100
) as r on true

-- case estimate-under-rules
-- articles {"fields":"title","filter":{"status":"published"},"meta":"estimated_count","count_up_to":1000}

-- postgres
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "public"."articles" as "t3"
    where (("t3"."status" = $1::character varying or exists (
      select 1
      from "public"."authors" as "t4"
      where ("t4"."id" = "t3"."author" and "t4"."name" = $2::character varying)
    )) and case when "t3"."status" = $3::character varying then "t3"."status" end = $4::character varying)
    limit 1001
  ) as "t5"
)
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0"
  from "public"."articles" as "t1"
  where (("t1"."status" = $5::character varying or exists (
    select 1
    from "public"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = $6::character varying)
  )) and case when "t1"."status" = $7::character varying then "t1"."status" end = $8::character varying)
  order by "t1"."id"
  limit 100
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, (
  select count(*)
  from (
    select 1 as one
    from `app`.`articles` as `t3`
    where ((`t3`.`status` = ? or exists (
      select 1
      from `app`.`authors` as `t4`
      where (`t4`.`id` = `t3`.`author` and `t4`.`name` = ?)
    )) and case when `t3`.`status` = ? then `t3`.`status` end = ?)
    limit 1001
  ) as `t5`
)
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`title` as `c0`, `t1`.`id` as `o0`
  from `app`.`articles` as `t1`
  where ((`t1`.`status` = ? or exists (
    select 1
    from `app`.`authors` as `t2`
    where (`t2`.`id` = `t1`.`author` and `t2`.`name` = ?)
  )) and case when `t1`.`status` = ? then `t1`.`status` end = ?)
  order by `t1`.`id`
  limit 100
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", (
  select count(*)
  from (
    select 1 as one
    from "main"."articles" as "t3"
    where (("t3"."status" = ? or exists (
      select 1
      from "main"."authors" as "t4"
      where ("t4"."id" = "t3"."author" and "t4"."name" = ?)
    )) and case when "t3"."status" = ? then "t3"."status" end = ?)
    limit 1001
  ) as "t5"
)
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0"
  from "main"."articles" as "t1"
  where (("t1"."status" = ? or exists (
    select 1
    from "main"."authors" as "t2"
    where ("t2"."id" = "t1"."author" and "t2"."name" = ?)
  )) and case when "t1"."status" = ? then "t1"."status" end = ?)
  order by "t1"."id"
  limit 100
) as r on true

-- case sought
-- articles {"fields":"title","sort":["-published","title"],"limit":10,"meta":"cursor","seek":0.5}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", "t1"."published"::text as "c1", "t1"."title"::text as "c2", "t1"."id"::text as "c3"
  from "public"."articles" as "t1"
  where ("t1"."published" <= $1::timestamp with time zone and ("t1"."published" < $2::timestamp with time zone or ("t1"."published" = $3::timestamp with time zone and (false or ("t1"."title" is null and "t1"."id" >= $4::integer)))))
  order by "t1"."published" desc, "t1"."title", "t1"."id"
  limit 11
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`title` as `c0`, cast(`t1`.`published` as char) as `c1`, cast(`t1`.`title` as char) as `c2`, cast(`t1`.`id` as char) as `c3`, `t1`.`published` as `o0`, `t1`.`title` as `o1`, `t1`.`id` as `o2`
  from `app`.`articles` as `t1`
  where (`t1`.`published` <= cast(? as datetime(6)) and (`t1`.`published` < cast(? as datetime(6)) or (`t1`.`published` = cast(? as datetime(6)) and (false or (`t1`.`title` is null and `t1`.`id` >= cast(? as signed))))))
  order by `t1`.`published` is null desc, `t1`.`published` desc, `t1`.`title` is null, `t1`.`title`, `t1`.`id`
  limit 11
) as r on true
order by `r`.`o0` is null desc, `r`.`o0` desc, `r`.`o1` is null, `r`.`o1`, `r`.`o2`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", tain_cursor_text(tain_moment("t1"."published"), ?) as "c1", tain_cursor_text("t1"."title", ?) as "c2", tain_cursor_text("t1"."id", ?) as "c3"
  from "main"."articles" as "t1"
  where (tain_moment("t1"."published") <= iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) and (tain_moment("t1"."published") < iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) or (tain_moment("t1"."published") = iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), ?) and (false or ("t1"."title" is null and "t1"."id" >= iif(substr(?, 1, 1) = char(1), tain_cursor_value(?), cast(? as integer)))))))
  order by tain_moment("t1"."published") desc nulls first, "t1"."title" nulls last, "t1"."id"
  limit 11
) as r on true

-- case last-page
-- articles {"fields":"title","sort":["-published","title"],"limit":10,"meta":"cursor","seek":1}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "service"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", "t1"."published"::text as "c1", "t1"."title"::text as "c2", "t1"."id"::text as "c3"
  from "public"."articles" as "t1"
  where true
  order by "t1"."published", "t1"."title" desc, "t1"."id" desc
  limit 11
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`, `r`.`c3`
from `service`.`service_version` as v
left join (
  select 1 as p, `t1`.`title` as `c0`, cast(`t1`.`published` as char) as `c1`, cast(`t1`.`title` as char) as `c2`, cast(`t1`.`id` as char) as `c3`, `t1`.`published` as `o0`, `t1`.`title` as `o1`, `t1`.`id` as `o2`
  from `app`.`articles` as `t1`
  where true
  order by `t1`.`published` is null, `t1`.`published`, `t1`.`title` is null desc, `t1`.`title` desc, `t1`.`id` desc
  limit 11
) as r on true
order by `r`.`o0` is null, `r`.`o0`, `r`.`o1` is null desc, `r`.`o1` desc, `r`.`o2` desc

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2", "r"."c3"
from "main"."service_version" as v
left join (
  select 1 as p, "t1"."title" as "c0", tain_cursor_text(tain_moment("t1"."published"), ?) as "c1", tain_cursor_text("t1"."title", ?) as "c2", tain_cursor_text("t1"."id", ?) as "c3"
  from "main"."articles" as "t1"
  where true
  order by tain_moment("t1"."published") nulls last, "t1"."title" desc nulls first, "t1"."id" desc
  limit 11
) as r on true

-- case alias
-- articles {"fields":["title","first.body","last.body"],"alias":{"first":"comments","last":"comments"},"deep":{"first":{"_sort":"created","_limit":1},"last":{"_sort":"-created","_limit":1}}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t3"."body" as "body"
      from "public"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by "t3"."created", "t3"."id"
      limit 1
    ) o
  ) as "c1", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t4"."body" as "body"
      from "public"."comments" as "t4"
      where "t4"."article" = "t2"."id"
      order by "t4"."created" desc, "t4"."id"
      limit 1
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."id"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, `t2`.`title` as `c0`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t3`.`body`), 'null'), '}') order by `t3`.`created` is null, `t3`.`created`, `t3`.`id` separator ', 
 ' limit 1), ''), ']')
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c1`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t4`.`body`), 'null'), '}') order by `t4`.`created` is null desc, `t4`.`created` desc, `t4`.`id` separator ', 
 ' limit 1), ''), ']')
    from `app`.`comments` as `t4`
    where `t4`.`article` = `t2`.`id`
  ) as `c2`, `t2`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`id`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t2"."title" as "c0", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t3"."body") <> 'blob', "t3"."body", tain_text("t3"."body"))), 'null'), '}') as k
      from "main"."comments" as "t3"
      where "t3"."article" = "t2"."id"
      order by tain_moment("t3"."created") nulls last, "t3"."id"
      limit 1
    ) o
  ) as "c1", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t4"."body") <> 'blob', "t4"."body", tain_text("t4"."body"))), 'null'), '}') as k
      from "main"."comments" as "t4"
      where "t4"."article" = "t2"."id"
      order by tain_moment("t4"."created") desc nulls first, "t4"."id"
      limit 1
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."id"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- case functions
-- articles {"fields":["year(published)","count(comments)","json(document,a)"]}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, extract(year from "t2"."published")::int as "c0", (
    select count(*)
    from "public"."comments" as "t3"
    where "t3"."article" = "t2"."id"
  ) as "c1", ("t2"."document" #> $1::text[]) as "c2"
  from (
    select "t1"."published", "t1"."id", "t1"."document"
    from "public"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, year(nullif(`t2`.`published`, 0)) as `c0`, (
    select count(*)
    from `app`.`comments` as `t3`
    where `t3`.`article` = `t2`.`id`
  ) as `c1`, (case when not exists (
    select 1
    from json_table(?, '$[*]' columns (p longtext character set utf8mb4 collate utf8mb4_bin path '$')) as l
    where json_type(json_extract((`t2`.`document` collate utf8mb4_bin), l.p)) <> 'ARRAY'
  ) then json_extract((`t2`.`document` collate utf8mb4_bin), ?) end) as `c2`, `t2`.`s0` as `o0`
  from (
    select `t1`.`published`, `t1`.`id`, `t1`.`document`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where true
    order by `t1`.`id`
    limit 100
  ) as `t2`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, tain_part('year', "t2"."published") as "c0", (
    select count(*)
    from "main"."comments" as "t3"
    where "t3"."article" = "t2"."id"
  ) as "c1", tain_json_at("t2"."document", ?) as "c2"
  from (
    select "t1"."published", "t1"."id", "t1"."document"
    from "main"."articles" as "t1"
    where true
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true

-- case permissions
-- articles {"fields":["title","author.name","comments.body"],"filter":{"status":"published"}}

-- postgres
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "service"."service_version" as v
left join (
  select 1 as p, "t3"."title" as "c0",
  case
  when "t3"."f0" then (
    select to_json(o.*)
    from (
      select "t4"."name" as "name"
      from "public"."authors" as "t4"
      where "t4"."id" = "t3"."author"
    ) o
  ) end as "c1", (
    select coalesce(json_agg(o.*), '[]'::json)
    from (
      select "t5"."body" as "body"
      from "public"."comments" as "t5"
      where ("t5"."article" = "t3"."id" and exists (
        select 1
        from "public"."articles" as "t6"
        where ("t6"."id" = "t5"."article" and "t6"."status" = $1::character varying)
      ))
      order by "t5"."id"
      limit 100
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."author", "t1"."id", "t1"."status" = $2::character varying as "f0"
    from "public"."articles" as "t1"
    where (("t1"."status" = $3::character varying or exists (
      select 1
      from "public"."authors" as "t2"
      where ("t2"."id" = "t1"."author" and "t2"."name" = $4::character varying)
    )) and case when "t1"."status" = $5::character varying then "t1"."status" end = $6::character varying)
    order by "t1"."id"
    limit 100
  ) as "t3"
) as r on true

-- mysql
select v.stamp, r.p, `r`.`c0`, `r`.`c1`, `r`.`c2`
from `service`.`service_version` as v
left join (
  select 1 as p, `t3`.`title` as `c0`,
  case
  when `t3`.`f0` then (
    select concat(?, coalesce(json_quote(`t4`.`name`), 'null'), '}')
    from `app`.`authors` as `t4`
    where `t4`.`id` = `t3`.`author`
  ) end as `c1`, (
    select concat('[', coalesce(group_concat(concat(?, coalesce(json_quote(`t5`.`body`), 'null'), '}') order by `t5`.`id` separator ', 
 ' limit 100), ''), ']')
    from `app`.`comments` as `t5`
    where (`t5`.`article` = `t3`.`id` and exists (
      select 1
      from `app`.`articles` as `t6`
      where (`t6`.`id` = `t5`.`article` and `t6`.`status` = ?)
    ))
  ) as `c2`, `t3`.`s0` as `o0`
  from (
    select `t1`.`title`, `t1`.`author`, `t1`.`id`, `t1`.`status` = ? as `f0`, `t1`.`id` as `s0`
    from `app`.`articles` as `t1`
    where ((`t1`.`status` = ? or exists (
      select 1
      from `app`.`authors` as `t2`
      where (`t2`.`id` = `t1`.`author` and `t2`.`name` = ?)
    )) and case when `t1`.`status` = ? then `t1`.`status` end = ?)
    order by `t1`.`id`
    limit 100
  ) as `t3`
) as r on true
order by `r`.`o0`

-- sqlite
select v.stamp, r.p, "r"."c0", "r"."c1", "r"."c2"
from "main"."service_version" as v
left join (
  select 1 as p, "t3"."title" as "c0",
  case
  when "t3"."f0" then (
    select concat(?, ifnull(json_quote(iif(typeof("t4"."name") <> 'blob', "t4"."name", tain_text("t4"."name"))), 'null'), '}')
    from "main"."authors" as "t4"
    where "t4"."id" = "t3"."author"
  ) end as "c1", (
    select concat('[', group_concat(o.k, ','), ']')
    from (
      select concat(?, ifnull(json_quote(iif(typeof("t5"."body") <> 'blob', "t5"."body", tain_text("t5"."body"))), 'null'), '}') as k
      from "main"."comments" as "t5"
      where ("t5"."article" = "t3"."id" and exists (
        select 1
        from "main"."articles" as "t6"
        where ("t6"."id" = "t5"."article" and "t6"."status" = ?)
      ))
      order by "t5"."id"
      limit 100
    ) o
  ) as "c2"
  from (
    select "t1"."title", "t1"."author", "t1"."id", "t1"."status" = ? as "f0"
    from "main"."articles" as "t1"
    where (("t1"."status" = ? or exists (
      select 1
      from "main"."authors" as "t2"
      where ("t2"."id" = "t1"."author" and "t2"."name" = ?)
    )) and case when "t1"."status" = ? then "t1"."status" end = ?)
    order by "t1"."id"
    limit 100
  ) as "t3"
) as r on true

