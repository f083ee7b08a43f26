process.env.RUNS ??= '12'
process.env.STEPS ??= '80'
await import('./host-lives.test.ts')
