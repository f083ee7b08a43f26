-- A correction credits an invoice and issues another one over the same cash line: revisions 1, 2 and so on.
alter table invoices
  add column revision integer not null default 0,
  drop constraint invoices_check2,
  add constraint invoices_revision_check check (
    case when revision = 0 then (kind = 'invoice') = (turn % 2 = 0) else revision > 0 and turn % 2 = 0 end) not valid;
