-- outside a transaction
-- What was left of people erased before, or arrived about them since.

-- in batches
with theirs as materialized (
  select e.account_id, e.id, e.data
  from events e join erased_objects x on x.account_id = e.account_id and x.id = e.subject_id
  where x.person = 'lead')
update events t set data = emptied(t.data, 'lead')
from theirs e
where t.account_id = e.account_id and t.id = e.id and e.data is distinct from emptied(e.data, 'lead')

-- in batches
with theirs as materialized (
  select e.account_id, e.id, e.data
  from events e join erased_objects x on x.account_id = e.account_id and x.id = e.subject_id
  where x.person = 'partner')
update events t set data = emptied(t.data, 'partner')
from theirs e
where t.account_id = e.account_id and t.id = e.id and e.data is distinct from emptied(e.data, 'partner')

-- in batches
with theirs as materialized (
  select e.account_id, e.id, e.data
  from passing_events e cross join lateral unnest(array[e.subject_id::text, e.data #>> '{object,leadId}', e.data #>> '{object,saleId}']) as named (id)
    join erased_objects x on x.account_id = e.account_id and x.id::text = named.id
  where x.person = 'lead')
update passing_events t set data = emptied(t.data, 'lead')
from theirs e
where t.account_id = e.account_id and t.id = e.id and e.data is distinct from emptied(e.data, 'lead')

-- in batches
with theirs as materialized (
  select e.account_id, e.id, e.data
  from passing_events e cross join lateral unnest(array[e.subject_id::text, e.data #>> '{object,partnerId}']) as named (id)
    join erased_objects x on x.account_id = e.account_id and x.id::text = named.id
  where x.person = 'partner')
update passing_events t set data = emptied(t.data, 'partner')
from theirs e
where t.account_id = e.account_id and t.id = e.id and e.data is distinct from emptied(e.data, 'partner')

-- in batches
update sale_corrections t set reason = null
from erased_objects x
where x.person = 'lead' and x.account_id = t.account_id and x.id = t.sale_id and t.reason is not null

-- in batches
update commission_entries t set reason = null
from erased_objects x
where x.person = 'lead' and x.account_id = t.account_id and x.id = coalesce(t.sale_id, t.lead_id) and t.reason is not null

-- in batches
update commission_entries t set reason = null
from erased_objects x
where x.person = 'partner' and x.account_id = t.account_id and x.id = t.partner_id and t.sale_id is null and t.lead_id is null and t.reason is not null

-- in batches
update fraud_cases t set reason = null, question = null, answer = null
from erased_objects x
where x.person = 'lead' and x.account_id = t.account_id and x.id = coalesce(t.sale_id, t.lead_id) and coalesce(t.reason, t.question, t.answer) is not null

-- in batches
update fraud_cases t set reason = null, question = null, answer = null
from erased_objects x
where x.person = 'partner' and x.account_id = t.account_id and x.id = t.partner_id and coalesce(t.reason, t.question, t.answer) is not null

-- in batches
update claims t set email = null, note = null
from erased_objects x
where x.person = 'lead' and x.account_id = t.account_id and x.id = coalesce(t.sale_id, t.lead_id) and coalesce(t.email, t.note) is not null

-- in batches
update claims t set email = null, note = null, reason = null
from erased_objects x
where x.person = 'partner' and x.account_id = t.account_id and x.id = t.partner_id and coalesce(t.email, t.note, t.reason) is not null

-- in batches
update payouts t set failure_reason = null
from erased_objects x
where x.person = 'partner' and x.account_id = t.account_id and x.id = t.partner_id and t.failure_reason is not null

-- in batches
update payout_attempts t set error = null
from erased_objects x
where x.person = 'partner' and x.account_id = t.account_id and x.id = t.payout_id and t.error is not null
