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
