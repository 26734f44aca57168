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
