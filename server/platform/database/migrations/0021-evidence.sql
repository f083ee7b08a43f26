-- The rules that were tried for a payment's lead and did not find it, in their order, each with what came of it:
-- [{"rule": "click", "outcome": "expired"}]. Null: nothing was looked for, or the sale is older than this column.
alter table sales add column match_evidence jsonb;

-- Who recorded a refund by hand or by push: `user:{id}`, `api-key:{id}`; `system` for what a payment provider told.
alter table refunds add column created_by text;
-- of earlier ones the audit log knows it, written at the same instant
update refunds r set created_by = a.actor
from (
  select distinct on (account_id, subject_id, at) account_id, subject_id, at, actor_type || ':' || actor_id as actor
  from audit where action = 'sale.refunded' and actor_id is not null
) a
where a.account_id = r.account_id and a.subject_id = r.sale_id and a.at = r.created_at and r.kind = 'refund';
