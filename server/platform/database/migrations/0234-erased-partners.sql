-- An erased partner's columns stay as the erasure left them, with a random code.
create function partner_stays_erased() returns trigger language plpgsql as $$
begin
  perform set_config('citus.allow_nested_distributed_execution', 'on', true);
  if tg_op = 'INSERT' and new.erased_at is null then
    new.erased_at := (select min(at) from erasures where account_id = new.account_id and new.id = any(subject_ids));
  end if;
  if new.erased_at is not null then
    new.first_name := 'Erased partner';
    new.last_name := right(new.id::text, 4);
    new.email := 'erased-' || new.id || '@erased.invalid';
    if new.referral_code !~ '^erased-[0-9a-f]{24}$' then
      new.referral_code := 'erased-' || left(replace(gen_random_uuid()::text, '-', ''), 24);
    end if;
    new.note := null;
    new.state_reason := null;
    new.void_reason := case when new.void_reason is not null then 'Erased' end;
    new.tax_form := null;
  end if;
  return new;
end $$;
create trigger stays_erased before insert or update on partners for each row execute function partner_stays_erased();
