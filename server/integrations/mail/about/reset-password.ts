import type { Services } from '../../../platform/services.ts'
import { homeUrl } from '../../../program/auth/home-url.ts'
import { findUser } from '../queries.ts'

/** Reads a user, and the address of their password reset. */
export async function readUser({ db, config }: Services, userId: string) {
  const user = await findUser(db, userId)
  return user && { ...user, data: { url: `${await homeUrl(db, config, userId)}/auth/reset-password` } }
}

export const sampleReset = { url: 'https://partners.example.com/auth/reset-password' }
