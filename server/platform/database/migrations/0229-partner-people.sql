-- People of a partner: owners have the role `partner`, members `partner-member`; one role a person and partner. These
-- tables have a row a person, so they are checked and indexed at once.
alter table user_roles drop constraint user_roles_type;
alter table user_roles add constraint user_roles_type check (type in ('admin', 'account-owner', 'account-manager',
  'account-finance', 'account-viewer', 'partner', 'partner-member'));
alter table user_roles drop constraint user_roles_check1;
alter table user_roles add constraint user_roles_of_partner
  check ((type in ('partner', 'partner-member')) = (partner_id is not null));
create unique index user_roles_once_at_partner on user_roles (partner_id, user_id) where partner_id is not null;

alter table invitations drop constraint invitations_kind;
alter table invitations add constraint invitations_kind
  check (kind in ('administrator', 'owner', 'member', 'partner', 'partner-member'));
alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check
  check (role in ('owner', 'manager', 'finance', 'viewer', 'member'));
alter table invitations drop constraint invitations_role;
alter table invitations add constraint invitations_role
  check ((kind in ('member', 'partner-member')) = (role is not null));
alter table invitations drop constraint invitations_check1;
alter table invitations add constraint invitations_of_a_partner
  check ((kind in ('partner', 'partner-member')) = (partner_id is not null));
-- Of a new owner whom the account's owner invites: acceptance holds automatic payouts like changed bank details.
alter table invitations add column holds_payouts boolean not null default false;
create index invitations_by_partner on invitations (partner_id, created_at) where partner_id is not null;
