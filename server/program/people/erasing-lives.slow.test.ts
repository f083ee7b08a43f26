process.env.RUNS ??= '30'
await import('./erasing-lives.test.ts')
