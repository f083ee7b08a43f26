alter table invoices validate constraint invoices_revision_check;
