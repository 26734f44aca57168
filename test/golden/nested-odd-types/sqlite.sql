select v.stamp, r.p, "r"."c0"
from "main"."service_version" as v
left join (
  select 1 as p, (
    select concat(?, ifnull((
      select concat('[', group_concat(o.k, ','), ']')
      from (
        select concat(?, ifnull(json_quote(tain_shown_moment("t4"."published")), 'null'), ?, ifnull(json_quote(tain_shown_datetime("t4"."edited")), 'null'), ?, ifnull(json_quote(tain_shown_time("t4"."event_time")), 'null'), ?, ifnull(json_quote(iif("t4"."views" is cast("t4"."views" as integer), cast("t4"."views" as text), tain_text("t4"."views"))), 'null'), ?, ifnull(tain_csv("t4"."keywords"), 'null'), '}') as k
        from "main"."articles" as "t4"
        where "t4"."author" = "t3"."id"
        order by "t4"."id"
        limit 100
      ) o
    ), 'null'), '}')
    from "main"."authors" as "t3"
    where "t3"."id" = "t2"."author"
  ) as "c0"
  from (
    select "t1"."author"
    from "main"."articles" as "t1"
    where "t1"."id" = cast(? as integer)
    order by "t1"."id"
    limit 100
  ) as "t2"
) as r on true
