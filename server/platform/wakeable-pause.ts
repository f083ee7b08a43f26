/** A pause that can be interrupted; waking without a pause interrupts the next one. */
export function waking() {
  let isWoken = false
  let end = () => {}
  return {
    wake() {
      isWoken = true
      end()
    },
    pause: (ms: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(() => end(), ms)
        end = () => {
          clearTimeout(timer)
          isWoken = false
          end = () => {}
          resolve()
        }
        if (isWoken) end()
      }),
  }
}
