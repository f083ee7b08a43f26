/** Saves a file under `name` through the browser. */
export function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // After the browser has read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
