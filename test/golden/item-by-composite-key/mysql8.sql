select v.stamp, `t1`.`language`, `t1`.`language`, `t1`.`term`, `t1`.`label`
from `app`.`service_version` as v
left join `app`.`labels` as `t1` on (`t1`.`language` = ? and `t1`.`term` = ?)
