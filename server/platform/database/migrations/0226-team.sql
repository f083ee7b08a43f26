-- People of an account's team: user_roles has one row a person and account; the invitation says which role.
alter table user_roles drop constraint user_roles_type_check;
alter table user_roles add constraint user_roles_type check (type in ('admin', 'account-owner', 'account-manager',
  'account-finance', 'account-viewer', 'partner')) not valid;
alter table invitations drop constraint invitations_kind_check;
alter table invitations add constraint invitations_kind check (kind in ('administrator', 'owner', 'member', 'partner')) not valid;
alter table invitations add column role text check (role in ('owner', 'manager', 'finance', 'viewer'));
alter table invitations add constraint invitations_role check ((kind = 'member') = (role is not null)) not valid;
-- Of an owner's invitation: the owner who loses the role when it is accepted.
alter table invitations add column replaces uuid references users;
