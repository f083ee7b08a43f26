-- outside a transaction
create unique index concurrently if not exists user_roles_once_in_team on user_roles (user_id, account_id)
  where type like 'account-%';

create index concurrently if not exists invitations_of_members on invitations (account_id, created_at) where kind = 'member';
