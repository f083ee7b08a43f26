-- Also empties the partner's external id in events of commissions and payouts.
create or replace function emptied(data jsonb, person text) returns jsonb immutable language plpgsql as $$
declare
  personal constant text[] := case person
    when 'lead' then array['firstName', 'lastName', 'email', 'phone', 'phoneE164', 'company', 'statusReason', 'sharedNote', 'note',
      'landingUrl', 'referrer', 'subId', 'payerEmail', 'description', 'voidReason', 'reason', 'metadata', 'blocked']
    else array['firstName', 'lastName', 'email', 'referralCode', 'earlierCodes', 'note', 'reason',
      'taxForm', 'promotionCode', 'stateReason', 'accountLast4']
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
      -- an event after the erasure has its made-up names
      when value #>> '{}' ~ '^(Erased (lead|partner)( [0-9a-f]{4})?|erased-[0-9a-f]{24})$' then value
      when key = 'lastName' and data ->> 'firstName' = 'Erased partner' then value
      -- a hold's reason is the product's own words
      when key = 'hold' and value ? 'policy' then value
      when key = 'code' and person = 'partner' and data ? 'partnerId' then 'null'
      when key = any(personal) and value ?& array['old', 'new'] then '{"old": null, "new": null}'
      -- of an own link; its addresses contain the code
      when person = 'partner' and key in ('name', 'subId') and value ?& array['old', 'new'] then '{"old": null, "new": null}'
      when person = 'partner' and key in ('name', 'subId', 'url', 'shortUrl') and data ? 'shortUrl' then 'null'::jsonb
      -- of a payout, in its provider's words
      when person = 'partner' and key = 'failureReason' then
        case when value ?& array['old', 'new'] then '{"old": null, "new": null}' else 'null'::jsonb end
      when person = 'partner' and key = 'error' and data ? 'transferId' then 'null'::jsonb
      -- of a case
      when person = 'partner' and key = 'reason' and data ? 'findings' then 'null'::jsonb
      when person = 'partner' and key = 'linkName' then
        case when value ?& array['old', 'new'] then '{"old": null, "new": null}' else '"Link"'::jsonb end
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
      when key = 'externalId' and person = 'partner' and data ? 'referralCode' then 'null'::jsonb
      -- a lead's is beside the partner it is given to
      when key = 'changes' and person = 'partner' and value ? 'externalId' and not value ? 'partnerId'
        and coalesce(data -> 'object' ? 'referralCode', true) then emptied(value - 'externalId', person) || '{"externalId": {"old": null, "new": null}}'
      when key = 'leadName' and person = 'lead' then '"Erased lead"'
      when key = 'displayName' and person = 'lead' and data ? 'duplicateOfId' then '"Erased lead"'
      when key = 'parentPartnerName' and person = 'partner' and data ? 'appliedAt' then '"Erased partner"'
      when key = 'partnerName' and person = 'partner' then '"Erased partner"'
      when key = 'partnerExternalId' and person = 'partner' then
        case when value ?& array['old', 'new'] then '{"old": null, "new": null}' else 'null'::jsonb end
      when key = 'displayName' and person = 'partner' and data ? 'referralCode' then '"Erased partner"'
      when key = 'text' and data ->> 'type' = 'note' then '""'::jsonb
      else emptied(value, person) end)
    from jsonb_each(data)), data);
end $$;
