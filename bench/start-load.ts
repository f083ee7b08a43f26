import { startChild } from './child.ts'
import type { Load, Outcome } from './load.ts'

type Asked = Omit<Load, 'first' | 'things'> & Partial<Pick<Load, 'things'>>

/** The load in its own process; its numbers continue from one run to the next. Fails at any status but `status`. */
export function startLoad(status: number) {
  const child = startChild<Load, Outcome>('load.ts')
  let first = 0
  return {
    async ask({ things = 1, ...asked }: Asked): Promise<Outcome> {
      const outcome = await child.ask({ ...asked, first, things })
      first += outcome.sent
      const { statuses } = outcome
      if (Object.keys(statuses).join() !== String(status))
        throw new Error(`${[asked.request].flat()[0]!.split('\r\n', 1)[0]}: ${JSON.stringify(statuses)}`)
      return outcome
    },
    end: child.end,
  }
}
