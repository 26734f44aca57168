select v.stamp, "t1"."language", "t1"."language", "t1"."term", "t1"."label", "t1".xmin::text
from "tain"."service_version" as v
left join "public"."labels" as "t1" on ("t1"."language" = $1::character varying and "t1"."term" = $2::character varying)
