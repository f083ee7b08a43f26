import type { Services } from '../../platform/services.ts'
import { forgetOldResets } from './link-requests.ts'
import { forgetOldSessions } from './sessions.ts'
import { forgetRefusedSignIns } from './sign-in.ts'
import { forgetOldAttempts } from './sign-in-attempts.ts'

/** Deletes expired sign-in data. */
export async function authEveryHour({ db }: Services): Promise<void> {
  await forgetOldSessions(db)
  await forgetOldAttempts(db)
  await forgetOldResets(db)
  await forgetRefusedSignIns(db)
}
