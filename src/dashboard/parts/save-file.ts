/** Downloads text from memory, because a link to the server cannot send the control token. */
export function saveFile(name: string, text: string, type = 'application/json') {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  // Some browsers read the blob only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
