-- The account's question to the partner about an open claim, and the answer.
alter table claims
  add column question text check (length(question) between 1 and 1000),
  add column asked_at timestamptz(3),
  add column answer text check (length(answer) between 1 and 1000),
  add column answered_at timestamptz(3),
  add check (answered_at is null or asked_at is not null);

drop trigger stays_erased on claims;
create trigger stays_erased before insert or update on claims
  for each row
  when (coalesce(new.email, new.note, new.question, new.answer) is not null and coalesce(new.sale_id, new.lead_id) is not null)
  execute function stays_erased('lead', '{"email": null, "note": null, "question": null, "answer": null}');

drop trigger stays_erased_of_partner on claims;
create trigger stays_erased_of_partner before insert or update on claims
  for each row when (coalesce(new.email, new.note, new.reason, new.question, new.answer) is not null)
  execute function stays_erased('partner', '{"email": null, "note": null, "reason": null, "question": null, "answer": null}');
