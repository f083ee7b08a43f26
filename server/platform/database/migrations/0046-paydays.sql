/*
 * What is still unpaid after each of a partner's days: what falls due adds up until it reaches the threshold, and is then
 * paid whole. A day without a threshold pays nothing.
 */
create function unpaid_after(unpaid bigint, amount bigint, threshold bigint) returns bigint
  language plpgsql immutable parallel safe as $$
begin
  if unpaid + amount >= threshold then return 0; end if;
  return unpaid + amount;
end
$$;

create aggregate carry(amount bigint, threshold bigint) (sfunc = unpaid_after, stype = bigint, initcond = '0');
