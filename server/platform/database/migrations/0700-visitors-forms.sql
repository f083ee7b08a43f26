-- A form's own ID, which the page's script gives it, and that of the visitor's earlier form, which may come later;
-- whether it corrects that one's email.
alter table lead_submissions
  add column client_id uuid,
  add column joins_client_id uuid,
  add column corrects boolean;
