process.env.RUNS ??= '12'
process.env.STEPS ??= '120'
await import('./file-lives.test.ts')
