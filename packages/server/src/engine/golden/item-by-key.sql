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
