const [QUOTE, LINE_FEED] = [0x22, 0x0a]

/** Counts the lines of a CSV file in chunks; line breaks inside quotes don't count. */
export function csvLines() {
  let lines = 0
  let quoted = false
  return (piece: Uint8Array) => {
    for (const byte of piece) {
      if (byte === QUOTE) quoted = !quoted
      else if (byte === LINE_FEED && !quoted) lines++
    }
    return lines
  }
}
