import { buildApp } from '../server/app.ts'
import { workOff } from './drain-jobs.ts'
import type { Story } from './story.ts'

export type FrontDoor = ReturnType<typeof frontDoor>

/** The application's front door, opened when the first system sends something. */
export function frontDoor({ services }: Story) {
  let opening: ReturnType<typeof buildApp> | undefined
  return {
    async deliver(url: string, payload: string, headers: Record<string, string> = {}) {
      opening ??= buildApp(services)
      const app = await opening
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: new URL(url).pathname,
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      })
      if (statusCode >= 300) throw new Error(`what was sent was answered ${statusCode}: ${body}`)
      await workOff(services)
    },
    close: async () => (await opening)?.close(),
  }
}
