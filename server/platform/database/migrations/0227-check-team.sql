alter table user_roles validate constraint user_roles_type;
alter table invitations validate constraint invitations_kind;
alter table invitations validate constraint invitations_role;
