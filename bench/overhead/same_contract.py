"""The same contract served by FastAPI: validates a request, returns a recorded answer. For bench/overhead.ts."""

import json
import os
from datetime import datetime
from enum import Enum
from typing import Dict, List, Optional, Union

from fastapi import FastAPI
from pydantic import BaseModel, Field


class Phase(str, Enum):
    fast = "fast"
    slow = "slow"


class Scope(BaseModel):
    nodes: List[str] = Field(default_factory=list)
    ranks: List[int] = Field(default_factory=list)
    start_time: Optional[datetime] = None
    end_time: Optional[datetime] = None


class FailureContext(BaseModel):
    detected_at: datetime
    detection_signal: str


class WorkloadContext(BaseModel):
    workflow_id: str = Field(min_length=1, max_length=256)
    attempt_index: int = Field(ge=0)
    user_id: Optional[str] = None
    job_end_time: Optional[datetime] = None


class Request(BaseModel):
    schema_version: str
    workload_id: str = Field(min_length=1, max_length=256)
    scope: Scope
    failure_context: FailureContext
    timeout_ms: int
    workload_context: WorkloadContext
    phase: Phase
    continue_session: Optional[str] = None


class Target(BaseModel):
    type: str
    node: Optional[str] = None


class Evidence(BaseModel):
    kind: str
    source: str
    observed_at: Optional[datetime]
    node: Optional[str]
    message: str
    reference: Optional[Union[str, Dict[str, object]]]


class Finding(BaseModel):
    target: Target
    error_category: str
    observed_at: datetime
    evidence: List[Evidence]
    confidence: Optional[float]


class Error(BaseModel):
    type: str
    message: str


class Response(BaseModel):
    schema_version: str
    service_id: str
    service_version: str
    request_id: str
    attribution_session_id: Optional[str]
    attributions: List[Finding]
    unattributed_targets: List[Target]
    error: Optional[Error]


app = FastAPI()
with open(os.environ["RECORDED_ANSWER"], encoding="utf-8") as file:
    answer = Response(**json.load(file))


@app.post("/v1/attribution", response_model=Response)
async def attribution(request: Request) -> Response:
    return answer
