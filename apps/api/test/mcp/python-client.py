"""Does with the official client for Python what an assistant does; prints what it was told as JSON."""

import asyncio
import json
import os

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

URL = os.environ["MCP_URL"]


def connected(key):
    http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"})
    return Client(streamable_http_client(URL, http_client=http), mode=os.environ["MCP_MODE"])


async def main():
    async with connected(os.environ["MCP_KEY"]) as client:
        async def use(name, /, **arguments):
            result = await client.call_tool(name, arguments)
            return {"error": result.content[0].text} if result.is_error else result.structured_content

        told = {
            "revision": client.protocol_version,
            "instructions": client.instructions,
            "tools": len((await client.list_tools()).tools),
        }
        rex = await use("add_animal", name="Rex", category_id="9223372036854775807", status="available", species="dog")
        told["found"] = (await use("search_animals", species="dog", limit=1))["animals"]
        order = await use("place_order", animal_id=rex["id"])
        told["cancelled"] = await use("cancel_order", order_id=order["id"])
        told["removed"] = await use("remove_animal", animal_id=rex["id"], name="Rex")
        told["unknown animal"] = await use("get_animal", animal_id=rex["id"])
        try:
            await use("made_up")
        except MCPError as error:
            told["unknown tool"] = error.code
    try:
        async with connected("made-up"):
            pass
    except BaseException as error:
        told["wrong key"] = repr(error)
    print(json.dumps(told))


asyncio.run(main())
