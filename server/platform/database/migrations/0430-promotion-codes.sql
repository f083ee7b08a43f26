-- Sales and revenue of each promotion code as sales store it, whichever partner the sales credit.
create table code_totals (
  account_id uuid not null,
  code text not null,
  sales bigint not null default 0,
  revenue bigint not null default 0,
  last_used_at timestamptz(3),
  primary key (account_id, code)
) with (fillfactor=70);
select place_with_account('code_totals');
alter table code_totals add foreign key (account_id) references accounts;

-- The code as sales store it: PostgreSQL and the server don't capitalize every letter alike. Null: added by a server of
-- the release before, or not filled yet.
alter table promotion_codes
  add column used_code text,
  -- reserved for a code that its provider has yet to make: credits nobody, since it may be another's there
  add column pending boolean not null default false;

-- Under which a provider's account makes codes for partners; null: it makes none.
alter table provider_shops add column code_rule jsonb;

-- Codes made at payment providers. A row is written before the first call, and outlives its promotion code until the
-- provider has turned the code off.
create table made_codes (
  id uuid not null,
  account_id uuid not null,
  shop_id uuid not null,
  partner_id uuid not null,
  -- null: erased with the partner
  code text,
  -- its place among the candidates of the pattern, and the candidates that the provider refused as taken
  turn integer not null default 0,
  refused integer not null default 0,
  -- the provider's id
  made_id text,
  state text not null check (state in ('making', 'on', 'off', 'failed')),
  -- why it waits or failed
  reason text,
  -- the terms of the discount when the code was asked for
  rule jsonb not null,
  -- the promotion code was removed, so the code is turned off for good
  removed_at timestamptz(3),
  tries integer not null default 0,
  next_at timestamptz(3),
  -- no other worker takes it until then
  claimed_until timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (id, account_id)
);
select place_with_account('made_codes');
alter table made_codes add foreign key (account_id) references accounts;
create unique index made_codes_once on made_codes (account_id, shop_id, partner_id) where removed_at is null;
create index made_codes_by_partner on made_codes (account_id, partner_id);
create index made_codes_due on made_codes (next_at) where next_at is not null;

-- Also empties the codes in events of promotion codes.
create or replace function emptied(data jsonb, person text) returns jsonb immutable language plpgsql as $$
declare
  personal constant text[] := case person
    when 'lead' then array['firstName', 'lastName', 'email', 'phone', 'company', 'statusReason', 'sharedNote', 'note',
      'landingUrl', 'referrer', 'payerEmail', 'description', 'voidReason', 'reason', 'metadata', 'blocked']
    else array['firstName', 'lastName', 'email', 'referralCode', 'note', 'reason', 'taxForm', 'promotionCode', 'stateReason']
  end;
begin
  if jsonb_typeof(data) = 'array' then
    return coalesce((select jsonb_agg(emptied(one, person) order by place)
      from jsonb_array_elements(data) with ordinality as a (one, place)), data);
  elsif jsonb_typeof(data) <> 'object' then
    return data;
  end if;
  return coalesce((select jsonb_object_agg(key, case
      when jsonb_typeof(value) = 'null' then value
      when key = 'code' and person = 'partner' and data ? 'partnerId' then 'null'
      when key = any(personal) and value ?& array['old', 'new'] then '{"old": null, "new": null}'
      -- an adjustment's reason is a person's
      when person = 'partner' and key = 'reason' and data ->> 'kind' = 'adjustment' then 'null'::jsonb
      -- of a partner, only in their own object and in their application
      when person = 'partner' and key = any(personal || array['message']) and data ? 'appliedAt' then 'null'::jsonb
      when person = 'partner' and key = 'answers' and data ? 'appliedAt' then '[]'::jsonb
      when person = 'partner' and key = any(personal) and not data ? 'referralCode' then value
      when key = any(personal) then case when key = 'metadata' then '{}'::jsonb else 'null'::jsonb end
      when key = 'externalId' and person = 'lead' then case
        when value ?& array['old', 'new'] then '{"old": null, "new": null}'
        when data ? 'duplicateOfId' then 'null'::jsonb
        else value end
      when key = 'leadName' and person = 'lead' then '"Erased lead"'
      when key = 'displayName' and person = 'lead' and data ? 'duplicateOfId' then '"Erased lead"'
      when key = 'parentPartnerName' and person = 'partner' and data ? 'appliedAt' then '"Erased partner"'
      when key = 'partnerName' and person = 'partner' then '"Erased partner"'
      when key = 'displayName' and person = 'partner' and data ? 'referralCode' then '"Erased partner"'
      when key = 'text' and data ->> 'type' = 'note' then '""'::jsonb
      else emptied(value, person) end)
    from jsonb_each(data)), data);
end $$;
