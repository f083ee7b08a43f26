-- A note of an erased partner's own terms may become empty, like a reason that a person typed.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if to_jsonb(old) ? 'reason' and to_jsonb(new) = to_jsonb(old) || '{"reason": null}' then
      return new;
    end if;
    -- on a worker, a table's name ends in a number
    if starts_with(tg_table_name, 'terms_log') and to_jsonb(new) = to_jsonb(old) || '{"note": null}' then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
