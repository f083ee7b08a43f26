-- A partner's objection to an invoice, once, and when the account closed it.
alter table invoices
  add column objected_at timestamptz(3),
  add column objection text check (length(objection) between 1 and 1000),
  add column objection_closed_at timestamptz(3),
  add check (objected_at is null or kind = 'invoice'),
  add check (objected_at is not null or (objection is null and objection_closed_at is null));

create trigger stays_erased_of_partner before insert or update on invoices
  for each row when (new.objection is not null)
  execute function stays_erased('partner', '{"objection": null}');

-- A document may get its number once and be objected to once; it may lose the partner. Nothing else is ever
-- written.
create or replace function refuse_invoice_change() returns trigger language plpgsql as $$
declare
  written_later text[] := '{number, prefix, snapshot, objected_at, objection, objection_closed_at}';
begin
  if tg_op = 'UPDATE' then
    if (to_jsonb(new) - written_later) = (to_jsonb(old) - written_later)
      and (new.snapshot = old.snapshot or new.snapshot = old.snapshot || '{"partner": null}')
      and (old.number is null or (new.number, new.prefix) = (old.number, old.prefix))
      and (old.objected_at is null or new.objected_at = old.objected_at)
      and (old.objected_at is null or new.objection is null or new.objection is not distinct from old.objection)
      and (old.objection_closed_at is null or new.objection_closed_at = old.objection_closed_at) then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
