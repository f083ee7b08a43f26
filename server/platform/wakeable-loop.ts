type Options = {
  everyMs: number
  /** Called with a failure; the next turn tries again. */
  onFailure(error: unknown): void
}

/**
 * Repeats `work` until stopped: at once if it returns true, else when woken, or after a while. Waking during a turn is
 * followed by another.
 */
export function wakeableLoop(work: () => Promise<boolean>, { everyMs, onFailure }: Options) {
  let isStopped = false
  let isWoken = false
  let endPause = () => {}
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => endPause(), everyMs)
      endPause = () => {
        clearTimeout(timer)
        isWoken = false
        endPause = () => {}
        resolve()
      }
      if (isWoken) endPause()
    })
  const wake = () => {
    isWoken = true
    endPause()
  }
  const loop = async () => {
    while (!isStopped) {
      try {
        if (await work()) continue
      } catch (error) {
        onFailure(error)
      }
      if (!isStopped) await pause()
    }
  }
  const running = loop()
  return {
    wake,
    /** Waits for a pending turn. */
    stop() {
      isStopped = true
      wake()
      return running
    },
  }
}
