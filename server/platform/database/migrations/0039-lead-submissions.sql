/* What was sent of a lead, as it came, without secrets: JSON, or the beginning of one that was too long. */
create table lead_submissions (
  id uuid primary key,
  account_id uuid not null,
  lead_id uuid not null,
  source text not null check (source in ('embed', 'manual', 'api', 'incoming-webhook', 'provider', 'import', 'partner')),
  body text not null check (octet_length(body) <= 16000),
  created_at timestamptz(3) not null,
  foreign key (account_id, lead_id) references leads (account_id, id) on delete cascade
);
create index lead_submissions_by_lead on lead_submissions (lead_id, created_at, id);
create index lead_submissions_by_age on lead_submissions using brin (created_at) with (autosummarize = on);
