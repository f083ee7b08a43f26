-- Words of a provider are kept without long numbers, which may be bank details. Saved ones are masked too.
update payouts set failure_reason = regexp_replace(failure_reason, '\d[\d -]{3,}\d', '•••', 'g')
where failure_reason ~ '\d[\d -]{3,}\d';

update payout_attempts set error = regexp_replace(error, '\d[\d -]{3,}\d', '•••', 'g')
where error ~ '\d[\d -]{3,}\d';

update payout_settings set rejected_reason = regexp_replace(rejected_reason, '\d[\d -]{3,}\d', '•••', 'g')
where rejected_reason ~ '\d[\d -]{3,}\d';
