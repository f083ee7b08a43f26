import type { User } from '#contract/users.ts'
import type { Queryable } from '../database/pool.ts'

/** Users as the API answers them, with all their roles; keyed by id. */
export async function usersById(db: Queryable, ids: (string | null)[]): Promise<Map<string, User>> {
  const wanted = ids.filter((id) => id !== null)
  if (wanted.length === 0) return new Map()
  const rows = await db.many<User>`
    select u.id, u.email, u.first_name, u.last_name, u.created_at, u.updated_at,
      coalesce((
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('type', r.type, 'partnerId', r.partner_id,
            'accountId', r.account_id, 'accountName', case when r.account_id is not null then coalesce(nullif(a.name, ''), o.email, '(Anonymous account)') end))
          order by r.type = 'admin' desc, coalesce(a.name, o.email), r.created_at)
        from user_roles r left join accounts a on a.id = r.account_id left join users o on o.id = a.owner_id
        where r.user_id = u.id), '[]') as roles
    from users u where u.id = any(${wanted}::uuid[])`
  return new Map(rows.map((user) => [user.id, user]))
}
