import type { FastifyReply } from 'fastify'

export function sendJson(reply: FastifyReply, text: string): void {
  void reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

export const sendData = (reply: FastifyReply, data: unknown): void => sendJson(reply, JSON.stringify({ data }))
