import { rights } from '#contract/endpoint.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { rawSql, type Sql, sql } from '../../platform/database/sql.ts'

/** The types of the roles with the right to pay. */
const payTypes = rights.pay.map((role) => `account-${role}`)

export const mayPayAs = (type: string) => payTypes.includes(type)
const payTypeList = rawSql(payTypes.map((type) => `'${type}'`).join(', '))
export const mayPay = (role: Sql) => sql`${role}.type in (${payTypeList})`

/** When the person of a role got the right to pay; null without it. */
export const paySince = (role: Sql) =>
  sql`case when ${mayPay(role)} then coalesce(${role}.pay_since, ${role}.created_at) end`

/** Returns the people of an account who may pay. */
export const listPayers = (db: Queryable, accountId: string) => db.many<{ userId: string; email: string }>`
  select r.user_id, u.email from user_roles r join users u on u.id = r.user_id
  where r.account_id = ${accountId} and ${mayPay(sql`r`)} order by r.created_at, r.user_id`
