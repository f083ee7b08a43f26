-- The day on which a document that waited got its number: until then, nobody could object to it.
alter table invoices
  add column numbered_on date;

-- As before, and the day comes with the number.
create or replace function refuse_invoice_change() returns trigger language plpgsql as $$
declare
  written_later text[] := '{number, prefix, numbered_on, snapshot, objected_at, objection, objection_closed_at}';
begin
  if tg_op = 'UPDATE' then
    if (to_jsonb(new) - written_later) = (to_jsonb(old) - written_later)
      and (new.snapshot = old.snapshot or new.snapshot = old.snapshot || '{"partner": null}')
      and (old.number is null
        or (new.number, new.prefix) = (old.number, old.prefix) and new.numbered_on is not distinct from old.numbered_on)
      and (old.objected_at is null or new.objected_at = old.objected_at)
      and (old.objected_at is null or new.objection is null or new.objection is not distinct from old.objection)
      and (old.objection_closed_at is null or new.objection_closed_at = old.objection_closed_at) then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
