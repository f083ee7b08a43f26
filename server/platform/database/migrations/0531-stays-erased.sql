-- Whatever arrives about an erased person in a table with their id loses its personal columns, as at the erasure.
create or replace function sale_of_erased_lead(account uuid, sale uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select from sales s join leads l on l.account_id = s.account_id and l.id = coalesce(s.lead_id, s.test_lead_id)
    where s.account_id = account and s.id = sale and l.erased_at is not null);
end $$;

create function is_erased_partner(account uuid, partner uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select from partners where account_id = account and id = partner and erased_at is not null);
end $$;

create function payout_of_erased_partner(account uuid, payout uuid) returns boolean stable language plpgsql as $$
begin
  return exists (select from payouts o join partners n on n.account_id = o.account_id and n.id = o.partner_id
    where o.account_id = account and o.id = payout and n.erased_at is not null);
end $$;

-- Arguments: whose the columns are, and their values afterwards.
create function stays_erased() returns trigger language plpgsql as $$
declare
  given constant jsonb := to_jsonb(new);
  is_theirs boolean;
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if tg_argv[0] = 'lead' then
    is_theirs := is_erased_lead(new.account_id, (given ->> 'lead_id')::uuid)
      or sale_of_erased_lead(new.account_id, (given ->> 'sale_id')::uuid);
  else
    is_theirs := is_erased_partner(new.account_id, (given ->> 'partner_id')::uuid)
      or payout_of_erased_partner(new.account_id, (given ->> 'payout_id')::uuid);
  end if;
  if is_theirs then
    new := jsonb_populate_record(new, tg_argv[1]::jsonb);
  end if;
  return new;
end $$;

create trigger stays_erased before insert on sale_corrections
  for each row when (new.reason is not null) execute function stays_erased('lead', '{"reason": null}');
create trigger stays_erased before insert on commission_entries
  for each row when (new.reason is not null and (new.sale_id is not null or new.lead_id is not null))
  execute function stays_erased('lead', '{"reason": null}');
create trigger stays_erased_of_partner before insert on commission_entries
  for each row when (new.reason is not null and new.sale_id is null and new.lead_id is null)
  execute function stays_erased('partner', '{"reason": null}');
create trigger stays_erased before insert or update on fraud_cases
  for each row
  when (coalesce(new.reason, new.question, new.answer) is not null and coalesce(new.sale_id, new.lead_id) is not null)
  execute function stays_erased('lead', '{"reason": null, "question": null, "answer": null}');
create trigger stays_erased_of_partner before insert or update on fraud_cases
  for each row when (coalesce(new.reason, new.question, new.answer) is not null)
  execute function stays_erased('partner', '{"reason": null, "question": null, "answer": null}');
create trigger stays_erased before insert or update on claims
  for each row when (coalesce(new.email, new.note) is not null and coalesce(new.sale_id, new.lead_id) is not null)
  execute function stays_erased('lead', '{"email": null, "note": null}');
create trigger stays_erased_of_partner before insert or update on claims
  for each row when (coalesce(new.email, new.note, new.reason) is not null)
  execute function stays_erased('partner', '{"email": null, "note": null, "reason": null}');
create trigger stays_erased before insert or update on payouts
  for each row when (new.failure_reason is not null)
  execute function stays_erased('partner', '{"failure_reason": null}');
create trigger stays_erased before insert or update on payout_attempts
  for each row when (new.error is not null) execute function stays_erased('partner', '{"error": null}');

-- What is an erased person's by an id.
create view erased_objects as
select account_id, id, 'lead' as person from leads where erased_at is not null
union all
select s.account_id, s.id, 'lead' from sales s
  join leads l on l.account_id = s.account_id and l.id = coalesce(s.lead_id, s.test_lead_id)
where l.erased_at is not null
union all
select account_id, id, 'partner' from partners where erased_at is not null
union all
select o.account_id, o.id, 'partner' from payouts o join partners n on n.account_id = o.account_id and n.id = o.partner_id
where n.erased_at is not null;
